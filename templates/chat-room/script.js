// The one place where messages come from. Today it holds examples and cannot send.
// Change it here when this server opens its rooms; the rest of this file can stay.
const room = {
  isOpen: false,
  who: () => ['Mira', 'Oto', 'Juno'],
  onMessage(listener) {
    listener({ name: 'Mira', time: '20:14', text: 'Good evening! Is the seat by the window free?' })
    listener({ name: 'Oto', time: '20:15', text: 'It is. You can see the harbour from there.' })
    listener({ name: 'Juno', time: '20:17', text: 'I just tied up my boat. Who wants tea?' })
    listener({ name: 'You', time: '20:18', text: 'Me, please! I am new here.', isMine: true })
    listener({ name: 'Mira', time: '20:18', text: 'Welcome! Every story here began with a hello.' })
  },
  send() {},
}

const messages = document.querySelector('#messages')
const composer = document.querySelector('#composer')

document.title = document.querySelector('h1').textContent

function makeElement(tag, className, text = '') {
  const element = document.createElement(tag)
  element.className = className
  // textContent, not innerHTML: what visitors write is never run as code.
  element.textContent = text
  return element
}

// The round picture of a guest: the first letter, in a colour that the name decides.
function makeFace(name) {
  const face = makeElement('span', 'face', [...name][0])
  const sum = [...name].reduce((total, letter) => total + letter.codePointAt(0), 0)
  face.style.setProperty('--hue', (sum * 47) % 360)
  face.role = 'img'
  face.ariaLabel = name
  return face
}

function showMessage({ name, time, text, isMine }) {
  const message = makeElement('article', isMine ? 'message mine' : 'message')
  const who = makeElement('p', 'who')
  who.append(makeElement('strong', '', name), ` ${time}`)
  if (!room.isOpen) who.append(makeElement('span', 'example', 'example'))
  const bubble = makeElement('div', 'bubble')
  bubble.append(who, makeElement('p', 'text', text))
  message.append(makeFace(name), bubble)
  messages.append(message)
  messages.scrollTop = messages.scrollHeight
}

document.querySelector('#notice').hidden = room.isOpen
for (const field of composer.elements) field.disabled = !room.isOpen

document.querySelector('#guests').append(...room.who().map(makeFace))
room.onMessage(showMessage)

composer.addEventListener('submit', (event) => {
  event.preventDefault()
  const text = composer.elements.text.value.trim()
  if (text !== '') room.send(text)
  composer.reset()
})

document.querySelector('#motion').addEventListener('click', (event) => {
  event.target.ariaPressed = document.body.classList.toggle('paused')
})
