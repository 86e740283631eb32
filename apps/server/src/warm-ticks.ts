const ticks = 20_000

/**
 * Has `process.nextTick` compiled before the start's many other calls. Node calls it four times for an
 * answer; after a start without this it stayed slow for good, 6 of 30 µs of each heartbeat (decision
 * 12). Takes some 6 ms.
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
