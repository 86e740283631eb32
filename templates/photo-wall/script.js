// The host's pictures are in index.html. Those of visitors are values in spark.shared: everybody sees
// them, and only their author and the host may delete them. Their key is the time, such as
// "photos/2031-05-12T20:15:00.000Z".
const find = (selector) => document.querySelector(selector)
const visitors = find('#visitors')
const form = find('form')
const submit = find('#submit')
const notice = find('#notice')
const dialog = find('dialog')

// What to say when something does not work, by the code of the error.
const reasons = {
  not_agreed: 'Say who you are first, then hang it up.',
  rate_limited: 'That was fast! Wait a minute, then try again.',
  quota_exceeded: 'Your part of the wall is full. Take down one of your pictures first.',
  offline: 'The connection is gone. Try again in a moment.',
  demo_account: 'Demo accounts only look here. Register to hang up pictures.',
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

function hang({ key, value, author, isMine }) {
  // Visitors can keep anything there, so look before you show it.
  if (!/^data:image\/(jpeg|png|webp);base64,/.test(value?.picture)) return
  const item = makeElement('li', isMine ? 'mine' : '')
  item.id = key
  const picture = makeElement('img')
  picture.src = value.picture
  picture.alt = ''
  const title = String(value.title).slice(0, 80)
  const print = makeElement('button', 'print')
  print.append(picture, `${title}, by ${author.name}`)
  const button = makeElement('button', 'delete', 'Take down')
  button.ariaLabel = `Take down: ${title}`
  button.addEventListener('click', () => {
    // The button vanishes with the picture, so the keyboard gets another place.
    spark.shared.delete(key).then(() => find('#visitors-title').focus(), explain)
  })
  item.append(print, button)
  // The newest first: such times have the same order as words in a dictionary.
  visitors.insertBefore(item, [...visitors.children].find(({ id }) => id < key) ?? null)
}

// Called with each picture that is there, and whenever one comes or goes, on all screens at once.
spark.shared.watch('photos/', (entry) => {
  document.getElementById(entry.key)?.remove()
  hang(entry)
})

// The user is null until the visitor says who they are.
function greet(user) {
  if (user !== null) find('#greeting').textContent = `You are ${user.name}.`
  find('#sign-in').hidden = user !== null
  document.body.classList.toggle('is-host', user?.isHost === true)
}
spark.user().then(greet, () => greet(null))
find('#sign-in').addEventListener('click', () => spark.signIn().then(greet, explain))

// Draws the picture smaller and smaller, until it fits: three of them are less than 256 kB. What the
// camera wrote into the file, such as the place, is not drawn, so it stays behind.
async function shrink(file) {
  const picture = await createImageBitmap(file)
  const canvas = document.createElement('canvas')
  for (let longest = 1280; ; longest *= 0.8) {
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height))
    canvas.width = Math.ceil(picture.width * scale)
    canvas.height = Math.ceil(picture.height * scale)
    const pen = canvas.getContext('2d')
    pen.fillStyle = 'white'
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height)
    for (const type of ['image/webp', 'image/jpeg']) {
      const url = canvas.toDataURL(type, 0.8)
      if (url.length < 85_000) return url
    }
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  submit.disabled = true
  notice.textContent = 'Making it smaller…'
  const picture = await shrink(find('#file').files[0]).catch(() => null)
  if (picture === null) notice.textContent = 'Your browser can’t open this file as a picture.'
  else await add({ picture, title: find('#title-field').value })
  submit.disabled = false
})

async function add(value) {
  try {
    // Whoever did not say who they are is asked now.
    await spark.shared.set(`photos/${new Date().toISOString()}`, value)
    form.reset()
    notice.textContent = 'It hangs below. Thank you!'
    greet(await spark.user())
  } catch (error) {
    explain(error)
  }
}

// From here on: a picture, opened.
let shown

function show(print) {
  shown = print
  const picture = print.querySelector('img')
  find('#large').src = picture.src
  find('#large').alt = picture.alt
  find('#title').textContent = print.textContent.trim()
}

// After the last picture comes the first one again.
function move(steps) {
  const prints = [...document.querySelectorAll('.print')]
  show(prints.at((prints.indexOf(shown) + steps) % prints.length))
}

find('main').addEventListener('click', (event) => {
  const print = event.target.closest('.print')
  if (print === null) return
  // Without this, the browser would leave the page and open the file.
  event.preventDefault()
  show(print)
  dialog.showModal()
})

find('#previous').addEventListener('click', () => move(-1))
find('#next').addEventListener('click', () => move(1))
find('#close').addEventListener('click', () => dialog.close())

dialog.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowLeft') move(-1)
  if (event.key === 'ArrowRight') move(1)
})

// A press beside the picture closes it.
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close()
})
