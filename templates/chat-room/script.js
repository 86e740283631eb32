// Everybody who opens this page comes into this room. An island may have more of them, by other names.
// Who may write there is in astropelago.json: "visitors", "anyone" or "host".
const room = spark.room('chat')

const find = (selector) => document.querySelector(selector)
const messages = find('#messages')
const list = find('#list')
const menu = find('#menu')
const field = find('#text')
const send = find('#send')
const notice = find('#notice')
const language = document.documentElement.lang

document.title = find('h1').textContent

// What to say when something does not work, by the code of the error.
const reasons = {
  not_agreed: 'Say who you are first. Your text waits here.',
  muted: 'A moderator lets you only read for a while.',
  read_only: 'Only the host writes here at the moment.',
  rate_limited: 'That was fast! Wait a moment, then send it again.',
  too_large: 'This message is too long. Make it shorter.',
  offline: 'The connection is gone. Your text waits here: send it again in a moment.',
  demo_account: 'Demo accounts only read here. Register to write.',
}

function explain(error) {
  notice.textContent = reasons[error.code] ?? error.message
}

function makeElement(tag, className, text = '') {
  const element = document.createElement(tag)
  element.className = className
  // textContent, not innerHTML: what visitors write is never run as code.
  element.textContent = text
  return element
}

// The round picture of a guest: the first letter, in a colour that the id decides.
function makeFace({ id, name }) {
  const face = makeElement('span', 'face', [...name][0])
  const sum = [...(id ?? name)].reduce((total, letter) => total + letter.codePointAt(0), 0)
  face.style.setProperty('--hue', (sum * 47) % 360)
  face.ariaHidden = 'true'
  return face
}

const days = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long' })
const clock = new Intl.DateTimeFormat([], { timeStyle: 'short' })
let lastDay = ''

// The style sheet keeps the newest message in view: 0 is the end of the list, and above it is less
// than 0. Whoever scrolled up there reads on in peace.
let isReadingBack = false
messages.addEventListener('scroll', () => {
  isReadingBack = messages.scrollTop < -60
})

room.onMessage((message) => {
  const { id, value, from, time, isMine } = message
  const heightBefore = isReadingBack ? list.offsetHeight : 0

  const day = days.format(time)
  if (day !== lastDay) list.append(makeElement('p', 'day', day))
  lastDay = day

  const who = makeElement('p', 'who')
  who.append(makeElement('strong', '', from.name), ` ${clock.format(time)}`)
  const more = makeElement('button', 'more', '⋯')
  more.ariaLabel = `More about this message by ${from.name}`
  more.addEventListener('click', () => openMenu(message))
  const bubble = makeElement('div', 'bubble')
  bubble.append(who, makeElement('p', 'text', String(value)), more)
  const article = makeElement('article', isMine ? 'message mine' : 'message')
  article.id = `message-${id}`
  article.append(makeFace(from), bubble)
  list.append(article)
  if (!isReadingBack && list.children.length > 400) list.querySelector('.message').remove()

  if (isMine) messages.scrollTop = 0
  else if (isReadingBack) messages.scrollTop -= list.offsetHeight - heightBefore
})

room.onRemove((id) => {
  const article = find(`#message-${id}`)
  // The keyboard's place must not vanish with the message.
  if (article?.contains(document.activeElement)) messages.focus()
  article?.remove()
})

room.onReset(() => {
  for (const element of list.querySelectorAll('.message, .day')) element.remove()
  lastDay = ''
})

room.onPeople(({ count, people }) => {
  const shown = people.slice(0, 4)
  const names = shown.map(({ name }) => name)
  const others = count - shown.length
  if (others > 0) names.push(names.length > 0 ? `${others} more` : `${others} here`)
  find('#names').textContent = new Intl.ListFormat(language).format(names)
  find('#faces').replaceChildren(...shown.map(makeFace))
})

const onlyReading = 'You can only read here at the moment.'

room.onRights(async ({ mayWrite, isModerator }) => {
  document.body.classList.toggle('is-moderator', isModerator)
  if (!mayWrite) notice.textContent = onlyReading
  else if (notice.textContent === onlyReading) notice.textContent = ''
  // The user is null until the visitor says who they are.
  const user = await spark.user().catch(() => null)
  find('#sign-in').hidden = !mayWrite || user !== null
})

const states = { connecting: 'Connecting…', live: '', closed: 'This room is closed to you.' }

room.onState((state) => {
  document.body.classList.toggle('is-live', state === 'live')
  find('#state').textContent = states[state]
  // Screen readers read new messages, but not all those that were there before.
  messages.ariaBusy = state !== 'live'
})

find('#sign-in').addEventListener('click', () => spark.signIn().catch(explain))

find('#composer').addEventListener('submit', async (event) => {
  event.preventDefault()
  const text = field.value
  if (text.trim() === '') return
  send.disabled = true
  notice.textContent = ''
  try {
    await room.send(text.trim())
    // What was typed in the meantime stays.
    if (field.value.startsWith(text)) field.value = field.value.slice(text.length)
  } catch (error) {
    explain(error)
  }
  send.disabled = false
})

// The menu of one message. The style sheet shows some of its buttons to moderators only.
let chosen

function openMenu(message) {
  chosen = message
  const { from, isMine } = message
  find('#menu-title').textContent = `Message by ${from.name}`
  find('#report').hidden = isMine
  // Everybody may take back what they wrote.
  find('#remove').hidden = !isMine && !document.body.classList.contains('is-moderator')
  find('#mute').hidden = find('#block').hidden = isMine || from.id === null
  menu.showModal()
}

const actions = {
  report: ({ id }) => room.report(id),
  remove: ({ id }) => room.remove(id),
  async mute({ from }) {
    await room.mute(from.id, 60)
    notice.textContent = `${from.name} only reads for an hour.`
  },
  async block({ from }) {
    await room.block(from.id)
    await room.removeAllOf(from.id)
    notice.textContent = `${from.name} is blocked, and their messages are gone.`
  },
  close() {},
}

for (const [id, act] of Object.entries(actions)) {
  find(`#${id}`).addEventListener('click', async () => {
    menu.close()
    try {
      await act(chosen)
    } catch (error) {
      explain(error)
    }
  })
}

find('#motion').addEventListener('click', (event) => {
  event.target.ariaPressed = document.body.classList.toggle('paused')
})
