const ticks = 20_000

/**
 * Makes V8 compile `process.nextTick` before the many other calls of the start. Node calls it four times
 * for each answer, and after a start without this it stayed slow for good: 6 of 30 µs of each heartbeat
 * (decision 12). Takes about 6 ms.
 */
export function warmTicks(): Promise<void> {
  return new Promise((resolve) => {
    let left = ticks
    const tick = () => {
      left -= 1
      if (left === 0) resolve()
      else process.nextTick(tick)
    }
    process.nextTick(tick)
  })
}
