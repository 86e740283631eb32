// Every line of the book is a value in spark.shared: everybody reads it, and only its author and the
// host may delete it. Its key is the time, such as "lines/2031-05-12T20:15:00.000Z".
const find = (selector) => document.querySelector(selector)
const list = find('ol')
const field = find('#text')
const submit = find('#submit')
const notice = find('#notice')
const language = document.documentElement.lang

// What to say when something does not work, by the code of the error.
const reasons = {
  not_agreed: 'Say who you are first. Your line waits here.',
  rate_limited: 'That was fast! Wait a minute, then try again.',
  quota_exceeded: 'There is no more room for you. Delete one of your lines first.',
  offline: 'The connection is gone. Your line waits here: try again in a moment.',
  demo_account: 'Demo accounts only read here. Register to sign.',
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

function showLine({ key, value, author, isMine }) {
  const time = new Date(key.slice('lines/'.length))
  // A sly visitor could have made any key.
  if (Number.isNaN(time.getTime())) return
  const day = time.toLocaleDateString(language, { month: 'long', day: 'numeric' })
  const line = makeElement('li', isMine ? 'mine' : '')
  line.id = key
  const who = makeElement('p', 'who', `${author.name}, ${day}`)
  const button = makeElement('button', 'delete', 'Delete')
  button.ariaLabel = `Delete the line by ${author.name}`
  button.addEventListener('click', () => {
    // The button vanishes with the line, so the keyboard gets another place.
    spark.shared.delete(key).then(() => find('#guests').focus(), explain)
  })
  who.append(button)
  line.append(makeElement('p', 'text', String(value).slice(0, 300)), who)
  // The newest first: such times have the same order as words in a dictionary.
  list.insertBefore(line, [...list.children].find(({ id }) => id < key) ?? null)
}

// Called with each line that is there, and whenever one comes, changes or goes, on all screens at once.
spark.shared.watch('lines/', (entry) => {
  document.getElementById(entry.key)?.remove()
  if (entry.value !== undefined) showLine(entry)
})

// The user is null until the visitor says who they are.
function greet(user) {
  if (user !== null) find('#greeting').textContent = `You sign as ${user.name}.`
  find('#sign-in').hidden = user !== null
  document.body.classList.toggle('is-host', user?.isHost === true)
}

async function openBook() {
  try {
    greet(await spark.user())
    // Calls are answered in their order, so all lines that there are have come before.
    find('#empty').textContent = 'Nobody has signed yet. Be the first!'
  } catch {
    greet(null)
    find('#empty').textContent = 'The book does not open. Is there a connection?'
  }
}

void openBook()
find('#sign-in').addEventListener('click', () => spark.signIn().then(greet, explain))

find('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  const text = field.value.trim()
  if (text === '') return
  submit.disabled = true
  notice.textContent = ''
  try {
    // Whoever did not say who they are is asked now.
    await spark.shared.set(`lines/${new Date().toISOString()}`, text)
    field.value = ''
    notice.textContent = 'Thank you! Your line is in the book.'
    greet(await spark.user())
  } catch (error) {
    explain(error)
  }
  submit.disabled = false
})
