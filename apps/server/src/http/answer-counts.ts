import type { Route } from '@astropelago/contract/route'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics, Sample } from '../metrics.ts'

/** Paths without a route count as one, with any method: callers could make up any number of both. */
const unknown = { method: 'any', route: 'unknown' }

export interface AnswerCount {
  count: number
}

export class AnswerCounts {
  readonly #samples = new Map<string, AnswerCount & { labels: Sample['labels'] }>()

  of({ method, path }: Pick<Route, 'method' | 'path'>, status: number): AnswerCount {
    return this.#sample(method, path, status)
  }

  /** Counts all other answers, and measures how long each route takes to begin its answer. */
  static count(app: FastifyInstance, metrics: Metrics): AnswerCounts {
    const counts = new AnswerCounts()
    metrics.counter({
      name: 'astropelago_http_answers_total',
      help: 'Answers to HTTP requests since the start, by route and status',
      labels: ['method', 'route', 'status'],
      read: () => counts.#samples.values().map(({ labels, count }) => ({ labels, value: count })),
    })
    const recordTime = metrics.timings({
      name: 'astropelago_http_answer_seconds',
      help: 'Time until an answer began, of those that were not given from memory at once',
      labels: ['method', 'route'],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    })
    // The end of an answer would measure how long a feed was open, or how slow a reader is.
    app.addHook('onSend', (request, reply, _payload, done) => {
      recordTime(reply.elapsedTime / 1000, namesOf(request))
      done()
    })
    app.addHook('onResponse', (request, reply, done) => {
      const { method, route } = namesOf(request)
      counts.#sample(method, route, reply.statusCode).count += 1
      done()
    })
    return counts
  }

  #sample(method: string, route: string, status: number) {
    const key = `${status} ${method} ${route}`
    const sample = this.#samples.get(key)
    if (sample !== undefined) return sample
    const made = { labels: { method, route, status: String(status) }, count: 0 }
    this.#samples.set(key, made)
    return made
  }
}

function namesOf({ method, routeOptions: { url } }: FastifyRequest) {
  return url === undefined ? unknown : { method, route: url }
}
