import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'

type Labels = Readonly<Record<string, string>>

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

interface ReadFigure extends Figure {
  readonly read: () => Value | Promise<Value>
}

type Value = number | Iterable<Sample>

interface Timings extends Figure {
  readonly buckets: readonly number[]
}

export type RecordTime = (seconds: number, labels?: Labels) => void

export type Metrics = ReturnType<typeof createMetrics>

/** Counters and gauges are read at each scrape, so even a hot path only adds to a plain number. */
export function createMetrics() {
  const registry = new Registry()
  let isProcessWatched = false
  const configOf = ({ name, help, labels = [] }: Figure) => {
    return { name, help, labelNames: labels, registers: [registry] }
  }
  return {
    counter: (figure: ReadFigure): void => {
      const counter: Counter<string> = new Counter<string>({
        ...configOf(figure),
        collect: () => refill(figure, counter, ({ labels, value }) => counter.inc(labels, value)),
      })
    },
    gauge: (figure: ReadFigure): void => {
      const gauge: Gauge<string> = new Gauge<string>({
        ...configOf(figure),
        collect: () => refill(figure, gauge, ({ labels, value }) => gauge.set(labels, value)),
      })
    },
    timings: (timings: Timings): RecordTime => {
      const config = { ...configOf(timings), buckets: [...timings.buckets] }
      const histogram = new Histogram<string>(config)
      return (seconds, labels = {}) => histogram.observe(labels, seconds)
    },
    text: async (): Promise<string> => {
      // Only measured after the first scrape.
      if (!isProcessWatched) collectDefaultMetrics({ register: registry })
      isProcessWatched = true
      return await registry.metrics()
    },
    contentType: registry.contentType,
  }
}

async function refill(
  { read }: ReadFigure,
  metric: { readonly reset: () => void },
  add: (sample: Sample) => void,
): Promise<void> {
  const value = await read()
  metric.reset()
  for (const sample of typeof value === 'number' ? [{ labels: {}, value }] : value) add(sample)
}

/** The samples of a metric with one label. */
export function byLabel(
  label: string,
  values: Readonly<Record<string, number>>,
): readonly Sample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))
}
