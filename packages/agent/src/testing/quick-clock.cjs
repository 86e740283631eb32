/**
 * Speeds up a program's timers and clocks by the factor QUICK_CLOCK. Load it before the program with --require. Node's
 * own timeouts, such as those of sockets, stay as they are. SIGUSR2 simulates that the machine slept for a day: the
 * wall clock moves on, all other clocks do not.
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
process.on('SIGUSR2', () => (sleptMs += 86_400_000))
const awakeNow = quickNow(Date)
Date.now = () => awakeNow() + sleptMs
// Replace the whole object, because Node 18 ignores a replaced `now`.
Object.defineProperty(globalThis, 'performance', { value: { now: quickNow(performance) } })
