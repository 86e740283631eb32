export interface FrameLoop {
  /** Requests one frame. While the canvas is not visible, the frame waits until it is. */
  request(): void
  /** Draws synchronously, because a canvas that was resized is empty until it is drawn. */
  drawNow(): void
  readonly isSeen: boolean
  dispose(): void
}

/**
 * Frames on demand. `draw` returns true to request another frame. Nothing is drawn in a hidden tab or while
 * the canvas is scrolled out of view. `onUnseen` is called when either begins.
 */
export function createFrameLoop(
  canvas: HTMLCanvasElement,
  draw: (nowMs: number) => boolean,
  onUnseen: () => void,
): FrameLoop {
  const page = canvas.ownerDocument
  let isInSight = true
  let isWanted = false
  let frame: number | undefined

  const isSeen = () => isInSight && !page.hidden
  const onFrame = (nowMs: number) => {
    frame = undefined
    isWanted = draw(nowMs)
    if (isWanted) ask()
  }
  const ask = () => {
    if (frame === undefined && isSeen()) frame = requestAnimationFrame(onFrame)
  }
  const stop = () => {
    if (frame !== undefined) cancelAnimationFrame(frame)
    frame = undefined
  }
  const followSight = () => {
    if (isSeen()) {
      if (isWanted) ask()
    } else {
      stop()
      onUnseen()
    }
  }

  const sight = new IntersectionObserver((entries) => {
    isInSight = entries.at(-1)?.isIntersecting ?? isInSight
    followSight()
  })
  sight.observe(canvas)
  page.addEventListener('visibilitychange', followSight)

  return {
    get isSeen() {
      return isSeen()
    },
    request() {
      isWanted = true
      ask()
    },
    drawNow() {
      stop()
      onFrame(performance.now())
    },
    dispose() {
      stop()
      sight.disconnect()
      page.removeEventListener('visibilitychange', followSight)
    },
  }
}
