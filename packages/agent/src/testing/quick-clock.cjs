/**
 * Makes the time of a program pass as many times faster as QUICK_CLOCK says: what it waits for, and what its clocks
 * show. Loaded before it by --require. Node's own waiting, as that of its sockets, stays as it is. By SIGUSR2 the
 * machine has slept for an hour: the clock of the day has gone on, all others have not.
 */
const speed = Number(process.env['QUICK_CLOCK'])

const { setTimeout, setInterval } = globalThis
Object.assign(globalThis, {
  setTimeout: (/** @type {() => void} */ action, /** @type {number} */ ms) =>
    setTimeout(action, ms / speed),
  setInterval: (/** @type {() => void} */ action, /** @type {number} */ ms) =>
    setInterval(action, ms / speed),
})

/** @param {{ now(): number }} clock */
function quickNow(clock) {
  const now = clock.now.bind(clock)
  const start = now()
  return () => start + (now() - start) * speed
}
let sleptMs = 0
process.on('SIGUSR2', () => (sleptMs += 3_600_000))
const awakeNow = quickNow(Date)
Date.now = () => awakeNow() + sleptMs
// Whole, since Node 18 ignores another `now` of its own.
Object.defineProperty(globalThis, 'performance', { value: { now: quickNow(performance) } })
