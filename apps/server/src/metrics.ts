import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'

type Labels = Readonly<Record<string, string>>

/** One of several values of a figure, told from the others by its labels. */
export interface Sample {
  readonly labels: Labels
  readonly value: number
}

interface Figure {
  /** As Prometheus has them: what it is, its unit, and `_total` where it only grows. */
  readonly name: `astropelago_${string}`
  readonly help: string
  readonly labels?: readonly string[]
}

type Value = number | Iterable<Sample>

interface ReadFigure extends Figure {
  /** Called when somebody asks. */
  readonly read: () => Value | Promise<Value>
}

interface Timings extends Figure {
  /** Upper bounds in seconds, ascending. */
  readonly buckets: readonly number[]
}

/** Takes note of how long something took. */
export type NoteTime = (seconds: number, labels?: Labels) => void

/**
 * What a server tells about itself in numbers. Each feature describes its own. Counters and gauges are
 * read when somebody asks for them: what counts, on however hot a path, adds to a plain number.
 */
export interface Metrics {
  /** What only grows from the start of the server on. */
  readonly counter: (figure: ReadFigure) => void
  /** What is so at the moment. */
  readonly gauge: (figure: ReadFigure) => void
  readonly timings: (timings: Timings) => NoteTime
  /** In Prometheus' text format. */
  readonly text: () => Promise<string>
  readonly contentType: string
}

/** The figures of one server. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  let isProcessWatched = false
  return {
    counter: ({ read, labels = [], ...figure }) => {
      const counter = new Counter<string>({
        ...figure,
        labelNames: labels,
        registers: [registry],
        collect: async () => {
          const samples = samplesOf(await read())
          counter.reset()
          for (const sample of samples) counter.inc(sample.labels, sample.value)
        },
      })
    },
    gauge: ({ read, labels = [], ...figure }) => {
      const gauge = new Gauge<string>({
        ...figure,
        labelNames: labels,
        registers: [registry],
        collect: async () => {
          const samples = samplesOf(await read())
          gauge.reset()
          for (const sample of samples) gauge.set(sample.labels, sample.value)
        },
      })
    },
    timings: ({ labels = [], buckets, ...figure }) => {
      const histogram = new Histogram<string>({
        ...figure,
        labelNames: labels,
        buckets: [...buckets],
        registers: [registry],
      })
      return (seconds, sampleLabels = {}) => histogram.observe(sampleLabels, seconds)
    },
    text: async () => {
      // From the first time on that somebody reads about it.
      if (!isProcessWatched) collectDefaultMetrics({ register: registry })
      isProcessWatched = true
      return await registry.metrics()
    },
    contentType: registry.contentType,
  }
}

function samplesOf(value: Value): Iterable<Sample> {
  return typeof value === 'number' ? [{ labels: {}, value }] : value
}
