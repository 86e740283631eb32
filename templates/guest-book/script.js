// The one place where entries come from. Today it holds examples and cannot keep new ones.
// Change it here when this server opens its guest books; the rest of this file can stay.
const book = {
  isOpen: false,
  read: () => [
    { name: 'Ada', day: '12 May', text: 'We came for an hour and stayed for the stars.' },
    { name: 'Ravi', day: '9 May', text: 'The wind up here smells of rain and cinnamon.' },
    { name: 'Lena and Tom', day: '2 May', text: 'Best view of all the islands. We will be back!' },
  ],
  sign() {},
}

const form = document.querySelector('form')

function makeElement(tag, className, text) {
  const element = document.createElement(tag)
  element.className = className
  // textContent, not innerHTML: what visitors write is never run as code.
  element.textContent = text
  return element
}

function showEntry({ name, day, text }) {
  const entry = makeElement('li', '', '')
  const who = makeElement('p', 'who', `${name}, ${day}`)
  if (!book.isOpen) who.append(makeElement('span', 'example', 'example'))
  entry.append(makeElement('p', 'text', text), who)
  document.querySelector('#entries').append(entry)
}

document.querySelector('#notice').hidden = book.isOpen
for (const field of form.elements) field.disabled = !book.isOpen

for (const entry of book.read()) showEntry(entry)

form.addEventListener('submit', (event) => {
  event.preventDefault()
  book.sign({ name: form.elements.name.value, text: form.elements.text.value })
  form.reset()
})
