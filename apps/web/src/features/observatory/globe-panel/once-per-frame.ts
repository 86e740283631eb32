/** Calls with the latest argument when the next frame is due: work that no frame would show is saved. */
export function oncePerFrame<T>(action: (argument: T) => void): {
  readonly call: (argument: T) => void
  readonly stop: () => void
} {
  let frame: number | undefined
  let latest: { readonly argument: T } | undefined
  const run = () => {
    frame = undefined
    if (latest !== undefined) action(latest.argument)
  }
  return {
    call(argument) {
      latest = { argument }
      frame ??= requestAnimationFrame(run)
    },
    stop() {
      if (frame !== undefined) cancelAnimationFrame(frame)
    },
  }
}
