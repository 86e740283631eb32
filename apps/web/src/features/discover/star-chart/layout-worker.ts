import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force'

// Laying out 300 islands with 900 routes takes 0.4 s, too long for the main thread.

export interface ToLayoutWorker {
  readonly count: number
  readonly routes: readonly (readonly [from: number, to: number])[]
  /** Whether to send intermediate positions as well as the final ones. */
  readonly isAnimated: boolean
}

export interface FromLayoutWorker {
  readonly positions: Float32Array<ArrayBuffer>
  readonly isSettled: boolean
}

const frameMs = 16
/** Leaves the rest of a frame to other work. */
const stepMs = 12

globalThis.addEventListener('message', ({ data }: MessageEvent<ToLayoutWorker>) => layOut(data))

function layOut({ count, routes, isAnimated }: ToLayoutWorker): void {
  const islands = Array.from({ length: count }, (): SimulationNodeDatum => ({}))
  const reached = new Set(routes.flat())
  const simulation = forceSimulation(islands)
    // A wide oval, like most screens. Islands without routes have no other force that pulls them
    // inwards. Far out, they would make all the others small.
    .force(
      'x',
      forceX(0).strength((_, index) => (reached.has(index) ? 0.035 : 0.12)),
    )
    .force(
      'y',
      forceY(0).strength((_, index) => (reached.has(index) ? 0.09 : 0.25)),
    )
    .force('apart', forceManyBody().strength(-150).distanceMax(480))
    .force(
      'routes',
      forceLink(routes.map(([source, target]) => ({ source, target })))
        .distance(80)
        .strength(0.25),
    )
    .force('own room', forceCollide(24))
    .stop()

  const budgetMs = isAnimated ? stepMs : Infinity
  const isSettled = () => simulation.alpha() < simulation.alphaMin()
  const step = () => {
    const startMs = performance.now()
    do simulation.tick()
    while (!isSettled() && performance.now() - startMs < budgetMs)
    send({ positions: positionsOf(islands), isSettled: isSettled() })
    if (!isSettled()) setTimeout(step, Math.max(0, frameMs - (performance.now() - startMs)))
  }
  step()
}

function positionsOf(islands: readonly SimulationNodeDatum[]): Float32Array<ArrayBuffer> {
  const positions = new Float32Array(2 * islands.length)
  for (const [index, { x = 0, y = 0 }] of islands.entries()) {
    positions[2 * index] = x
    positions[2 * index + 1] = y
  }
  return positions
}

function send(message: FromLayoutWorker): void {
  globalThis.postMessage(message, { transfer: [message.positions.buffer] })
}
