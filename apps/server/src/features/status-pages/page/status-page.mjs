// Keeps a status page up to date, even for weeks on a wall: fetches the page again and shows what changed.
// The script is inline, and the page's policy contains its hash.
{
  const everyMs = 15_000
  const patienceMs = 10_000
  /** How long a server may be unreachable before the page says so. */
  const lostMs = 40_000
  /** A screen reader's user can't follow more. */
  const changesNamed = 5
  const { version } = document.documentElement.dataset
  const lost = document.getElementById('lost')
  const spoken = document.getElementById('spoken')
  /** The format of the contract's time-text.ts. */
  const timeOptions = {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }
  const time = new Intl.DateTimeFormat('en', timeOptions)
  const timeOfYear = new Intl.DateTimeFormat('en', { ...timeOptions, year: 'numeric' })
  let etag
  let timer
  let isAsking = false
  let answeredMs = Date.now()

  /** Writes times in the reader's time zone, with the year if it is not the current one. */
  const localize = (main) => {
    const year = new Date().getFullYear()
    for (const each of main.querySelectorAll('time')) {
      const at = new Date(each.dateTime)
      each.textContent = (at.getFullYear() === year ? time : timeOfYear).format(at)
    }
  }

  /** Announces the overall state and each change: one thing may come back while another goes. */
  const speak = (main, nextMain) => {
    const [before, after] = [main, nextMain].map((part) => ({
      overall: part.querySelector('#overall').textContent,
      rows: Array.from(part.querySelectorAll('li'), (row) => {
        const [, status] = row.querySelector('.status').classList
        return `${row.querySelector('a').textContent} is ${status}`
      }),
    }))
    const changed = after.rows.filter((words) => !before.rows.includes(words))
    if (changed.length === 0 && before.overall === after.overall) return
    const more = changed.length > changesNamed ? [`${changed.length - changesNamed} more`] : []
    spoken.textContent = [after.overall, ...changed.slice(0, changesNamed), ...more].join('. ')
  }

  const show = (next) => {
    const main = document.querySelector('main')
    const nextMain = next.querySelector('main')
    speak(main, nextMain)
    localize(nextMain)
    const focused = main.contains(document.activeElement)
      ? document.activeElement.getAttribute('href')
      : null
    document.title = next.title
    main.replaceWith(nextMain)
    const links = [...nextMain.querySelectorAll('a')]
    links.find((link) => link.getAttribute('href') === focused)?.focus({ preventScroll: true })
  }

  const ask = async () => {
    const response = await fetch(location.pathname, {
      cache: 'no-cache',
      credentials: 'omit',
      signal: AbortSignal.timeout(patienceMs),
    })
    // 404 is an answer too: a page that is turned off may be turned on again.
    if (!response.ok && response.status !== 404) throw new Error(`status ${response.status}`)
    const answered = response.headers.get('etag')
    if (etag !== undefined && answered === etag) return
    const next = new DOMParser().parseFromString(await response.text(), 'text/html')
    const made = next.documentElement.dataset.version
    // Something between here and the server answered instead of it.
    if (made === undefined) throw new Error('another page')
    if (made !== version) location.reload()
    else {
      show(next)
      etag = answered
    }
  }

  const turn = async () => {
    if (isAsking) return
    isAsking = true
    try {
      if (!document.hidden) {
        await ask()
        answeredMs = Date.now()
        lost.hidden = true
      }
    } catch {
      lost.hidden = Date.now() - answeredMs < lostMs
    }
    isAsking = false
    turnIn(everyMs * (0.9 + 0.2 * Math.random()))
  }
  const turnIn = (ms) => {
    clearTimeout(timer)
    timer = setTimeout(turn, ms)
  }

  localize(document.querySelector('main'))
  document.addEventListener('visibilitychange', () => turnIn(0))
  addEventListener('online', () => turnIn(0))
  turnIn(everyMs)
}
