import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'

type Labels = Readonly<Record<string, string>>

/** One of several values of a metric, told apart by its labels. */
export interface Sample {
  readonly labels: Labels
  readonly value: number
}

interface Figure {
  /** A Prometheus name: what it is, its unit, and `_total` if it only grows. */
  readonly name: `astropelago_${string}`
  readonly help: string
  readonly labels?: readonly string[]
}

type Value = number | Iterable<Sample>

interface ReadFigure extends Figure {
  readonly read: () => Value | Promise<Value>
}

interface Timings extends Figure {
  /** Upper bounds in seconds, ascending. */
  readonly buckets: readonly number[]
}

export type RecordTime = (seconds: number, labels?: Labels) => void

/**
 * What a server reports about itself in numbers. Each feature describes its own. Counters and gauges are
 * read at each scrape, so even a hot path only adds to a plain number.
 */
export interface Metrics {
  readonly counter: (figure: ReadFigure) => void
  readonly gauge: (figure: ReadFigure) => void
  readonly timings: (timings: Timings) => RecordTime
  /** All metrics in Prometheus' text format. */
  readonly text: () => Promise<string>
  readonly contentType: string
}

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
      // Only measured once somebody scrapes.
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
