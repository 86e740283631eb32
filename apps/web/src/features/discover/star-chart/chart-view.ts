import { createEmitter } from '../../../lib/emitter.ts'
import { isMotionWelcome } from '../../../lib/motion.ts'
import { listenToPointers, type ScreenPoint } from '../../../lib/pointers.ts'
import {
  type ChartCamera,
  fitCamera,
  greatestScale,
  leastScale,
  panBy,
  panInto,
  type Size,
  zoomAt,
} from './chart-camera.ts'
import { type ChartIsland, chartIslands, type IslandChart, layoutKey } from './chart-islands.ts'
import { drawChart } from './draw-chart.ts'
import { type Heading, islandAhead, nearestIsland } from './find-island.ts'
import type { FromLayoutWorker, ToLayoutWorker } from './layout-worker.ts'

export type ChartAction = 'zoom-in' | 'zoom-out' | 'fit'

export interface ChartState {
  readonly selectedId: string | undefined
  readonly canZoomIn: boolean
  readonly canZoomOut: boolean
  readonly isSettled: boolean
}

const zoomStep = 1.35
/** How far from an island a press still selects it. */
const reachPx = 22
/** More pixels per CSS pixel cost more time without a visible difference. */
const greatestPixelRatio = 2

/** A worker computes the layout. The camera follows it until the visitor moves the camera. */
export class ChartView {
  readonly #changes = createEmitter()
  #state: ChartState = {
    selectedId: undefined,
    canZoomIn: true,
    canZoomOut: true,
    isSettled: false,
  }
  #islands: readonly ChartIsland[] = []
  #routes: IslandChart['routes'] = []
  #layoutKey: string | undefined
  #positions = new Float32Array(0)
  #worker: Worker | undefined
  #surface: HTMLElement | undefined
  #canvas: HTMLCanvasElement | undefined
  #drawing: CanvasRenderingContext2D | null = null
  #size: Size = { widthPx: 0, heightPx: 0 }
  #pixelRatio = 1
  #camera: ChartCamera = { x: 0, y: 0, scale: 1 }
  #isCameraLeft = true
  #hovered: number | undefined
  #frame: number | undefined

  readonly subscribe = this.#changes.on
  readonly read = () => this.#state

  /** Draws and listens until the returned function is called. */
  mount(surface: HTMLElement, canvas: HTMLCanvasElement): () => void {
    this.#surface = surface
    this.#canvas = canvas
    this.#drawing = canvas.getContext('2d')
    const sizes = new ResizeObserver(() => this.#resize())
    sizes.observe(canvas)
    const stopPointers = this.#listen(surface)
    const redraw = () => this.#ask()
    surface.addEventListener('focus', redraw)
    surface.addEventListener('blur', redraw)
    // Names are measured in the font in which they are drawn.
    void document.fonts.ready.then(redraw)
    if (this.#layoutKey !== undefined && !this.#state.isSettled) this.#startLayout()
    return () => {
      sizes.disconnect()
      stopPointers()
      surface.removeEventListener('focus', redraw)
      surface.removeEventListener('blur', redraw)
      if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
      this.#frame = undefined
      this.#worker?.terminate()
      this.#worker = undefined
      this.#surface = undefined
      this.#canvas = undefined
      this.#drawing = null
    }
  }

  /** Starts a new layout if the islands or routes have changed. */
  setChart(chart: IslandChart): void {
    this.#islands = chartIslands(chart)
    const key = layoutKey(chart)
    if (key !== this.#layoutKey) {
      this.#layoutKey = key
      this.#routes = chart.routes
      this.#setState({ isSettled: false })
      if (this.#canvas !== undefined) this.#startLayout()
    }
    this.#ask()
  }

  select(id: string | undefined): void {
    this.#setState({ selectedId: id })
    const at = this.#selected
    if (at !== undefined && this.#hasPlaces) {
      this.#moveCamera(panInto(this.#camera, this.#size, this.#x(at), this.#y(at)))
    }
    this.#ask()
  }

  /** Goes on from the selected island, or from the centre of the picture. */
  step(heading: Heading): void {
    const from = this.#selected
    const x = from === undefined ? this.#camera.x : this.#x(from)
    const y = from === undefined ? this.#camera.y : this.#y(from)
    const to =
      islandAhead(this.#positions, x, y, heading) ??
      (from === undefined ? nearestIsland(this.#positions, x, y, Infinity) : undefined)
    if (to !== undefined) this.select(this.#islands[to]?.card.id)
  }

  act(action: ChartAction): void {
    const { widthPx, heightPx } = this.#size
    const middle = { xPx: widthPx / 2, yPx: heightPx / 2 }
    if (action === 'fit') {
      this.#isCameraLeft = true
      this.#setCamera(fitCamera(this.#positions, this.#size))
    } else this.#zoom(action === 'zoom-in' ? zoomStep : 1 / zoomStep, middle)
  }

  get #selected(): number | undefined {
    const at = this.#islands.findIndex(({ card }) => card.id === this.#state.selectedId)
    return at === -1 ? undefined : at
  }

  get #hasPlaces(): boolean {
    return this.#positions.length === 2 * this.#islands.length
  }

  #x(at: number): number {
    return this.#positions[2 * at] ?? 0
  }

  #y(at: number): number {
    return this.#positions[2 * at + 1] ?? 0
  }

  #startLayout(): void {
    this.#worker?.terminate()
    const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<FromLayoutWorker>) => {
      if (worker === this.#worker) this.#place(data)
    })
    const request: ToLayoutWorker = {
      count: this.#islands.length,
      routes: this.#routes,
      isAnimated: isMotionWelcome(),
    }
    worker.postMessage(request)
  }

  #place({ positions, isSettled }: FromLayoutWorker): void {
    this.#positions = positions
    if (this.#isCameraLeft) this.#setCamera(fitCamera(positions, this.#size))
    if (isSettled) {
      this.#worker?.terminate()
      this.#worker = undefined
      this.#setState({ isSettled })
    }
    this.#ask()
  }

  #listen(surface: HTMLElement): () => void {
    let last: ScreenPoint = { xPx: 0, yPx: 0 }
    let pinched = 1
    return listenToPointers(surface, {
      press: () => undefined,
      click: (point) => {
        surface.focus({ preventScroll: true })
        const at = this.#under(point)
        this.select(at === undefined ? undefined : this.#islands[at]?.card.id)
      },
      dragStart: (point) => {
        last = point
      },
      dragTo: (point) => {
        this.#moveCamera(
          panBy(this.#camera, { xPx: point.xPx - last.xPx, yPx: point.yPx - last.yPx }),
        )
        last = point
      },
      dragEnd: () => undefined,
      pinchStart: () => {
        pinched = 1
      },
      pinchTo: (scale, xPx, yPx) => {
        this.#moveCamera(panBy(this.#camera, { xPx, yPx }))
        const { widthPx, heightPx } = this.#size
        this.#zoom(scale / pinched, { xPx: widthPx / 2, yPx: heightPx / 2 })
        pinched = scale
      },
      hover: (point) => {
        const hovered = point && this.#under(point)
        if (hovered === this.#hovered) return
        this.#hovered = hovered
        surface.style.cursor = hovered === undefined ? '' : 'pointer'
        this.#ask()
      },
      zoomBy: (steps) => {
        const { widthPx, heightPx } = this.#size
        this.#zoom(zoomStep ** steps, { xPx: widthPx / 2, yPx: heightPx / 2 })
      },
    })
  }

  #under({ xPx, yPx }: ScreenPoint): number | undefined {
    const { x, y, scale } = this.#camera
    return nearestIsland(
      this.#positions,
      x + (xPx - this.#size.widthPx / 2) / scale,
      y + (yPx - this.#size.heightPx / 2) / scale,
      reachPx / scale,
    )
  }

  #zoom(factor: number, point: ScreenPoint): void {
    this.#moveCamera(zoomAt(this.#camera, factor, point, this.#size))
  }

  #moveCamera(camera: ChartCamera): void {
    this.#isCameraLeft = false
    this.#setCamera(camera)
  }

  #setCamera(camera: ChartCamera): void {
    this.#camera = camera
    this.#setState({
      canZoomIn: camera.scale < greatestScale,
      canZoomOut: camera.scale > leastScale,
    })
    this.#ask()
  }

  #setState(changes: Partial<ChartState>): void {
    const next = { ...this.#state, ...changes }
    const keys = ['selectedId', 'canZoomIn', 'canZoomOut', 'isSettled'] as const
    if (keys.every((key) => next[key] === this.#state[key])) return
    this.#state = next
    this.#changes.emit()
  }

  #resize(): void {
    const canvas = this.#canvas
    if (canvas === undefined) return
    const { clientWidth: widthPx, clientHeight: heightPx } = canvas
    const ratio = Math.min(greatestPixelRatio, window.devicePixelRatio)
    canvas.width = Math.round(widthPx * ratio)
    canvas.height = Math.round(heightPx * ratio)
    this.#drawing?.setTransform(ratio, 0, 0, ratio, 0, 0)
    this.#size = { widthPx, heightPx }
    this.#pixelRatio = ratio
    if (this.#isCameraLeft) this.#setCamera(fitCamera(this.#positions, this.#size))
    // Resizing clears the canvas.
    this.#draw()
  }

  #ask(): void {
    if (this.#canvas === undefined) return
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.#draw()
    })
  }

  #draw(): void {
    if (this.#drawing === null || !this.#hasPlaces) return
    drawChart(this.#drawing, {
      islands: this.#islands,
      positions: this.#positions,
      camera: this.#camera,
      size: this.#size,
      pixelRatio: this.#pixelRatio,
      selected: this.#selected,
      hovered: this.#hovered,
      hasFocus: document.activeElement === this.#surface,
    })
  }
}
