import * as v from 'valibot'
import { defineRoute } from './route.ts'

export const healthz = defineRoute({
  method: 'GET',
  path: '/healthz',
  summary: 'The process is alive',
  tag: 'Operations',
  access: 'anyone',
  answers: { 200: v.object({ status: v.literal('alive') }) },
  errors: [],
})

export const readyz = defineRoute({
  method: 'GET',
  path: '/readyz',
  summary: 'The server can do its work: its storage answers',
  tag: 'Operations',
  access: 'anyone',
  answers: { 200: v.object({ status: v.literal('ready') }) },
  errors: ['overloaded'],
})

export const readMetrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  summary: 'Metrics for Prometheus, with METRICS_TOKEN as bearer token',
  tag: 'Operations',
  access: 'anyone',
  answerType: 'text/plain',
  answers: { 200: v.string() },
  errors: ['not_found'],
})
