/** Frames on demand: `draw` returns true for another. Nothing is drawn while it is out of view. */
export function createFrameLoop(
  canvas: HTMLCanvasElement,
  draw: (nowMs: number) => boolean,
  onUnseen: () => void,
) {
  const page = canvas.ownerDocument
  let isInSight = true
  let isWanted = false
  let frame: number | undefined

  const isSeen = () => isInSight && !page.hidden
  const onFrame = (nowMs: number) => {
    frame = undefined
    isWanted = draw(nowMs)
    if (isWanted) schedule()
  }
  const schedule = () => {
    if (frame === undefined && isSeen()) frame = requestAnimationFrame(onFrame)
  }
  const stop = () => {
    if (frame !== undefined) cancelAnimationFrame(frame)
    frame = undefined
  }
  const followVisibility = () => {
    if (isSeen()) {
      if (isWanted) schedule()
    } else {
      stop()
      onUnseen()
    }
  }

  const sight = new IntersectionObserver((entries) => {
    isInSight = entries.at(-1)?.isIntersecting ?? isInSight
    followVisibility()
  })
  sight.observe(canvas)
  page.addEventListener('visibilitychange', followVisibility)

  return {
    get isSeen() {
      return isSeen()
    },
    request() {
      isWanted = true
      schedule()
    },
    /** Draws synchronously, because a canvas that was resized is empty until it is drawn. */
    drawNow() {
      stop()
      onFrame(performance.now())
    },
    dispose() {
      stop()
      sight.disconnect()
      page.removeEventListener('visibilitychange', followVisibility)
    },
  }
}
