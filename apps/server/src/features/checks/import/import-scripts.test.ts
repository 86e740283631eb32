import { readFileSync } from 'node:fs'
import type { OwnCheck } from '@astropelago/contract/checks'
import { expect, test } from 'vitest'
import { createTestApp } from '../../../test/create-test-app.ts'
import { kumaDatabase } from './testing/kuma-database.ts'

const healthchecks = readFileSync(new URL('testing/healthchecks.json', import.meta.url))

async function importFrom(from: string, payload: Buffer) {
  const { inject, signUp } = await createTestApp({})
  const owner = await signUp()
  const headers = { 'content-type': 'application/octet-stream' }
  const url = `/api/me/checks/import?from=${from}`
  const response = await owner.inject({ method: 'POST', url, payload, headers })
  expect(response.statusCode).toBe(200)
  /** Calls what a script called before, at this server's host. */
  const call = (address: string) => {
    const { pathname, search } = new URL(address)
    return inject({ url: pathname + search })
  }
  const statusOf = async (name: string) => {
    const checks = (await owner.inject({ url: '/api/me/checks' })).json<OwnCheck[]>()
    return checks.find((check) => check.name === name)
  }
  return { call, statusOf }
}

test('[C6] a script that pushes to Uptime Kuma goes on with the host name changed', async () => {
  const { call, statusOf } = await importFrom('kuma', kumaDatabase())
  const address = 'https://kuma.northwind-bikes.example/api/push/qXw7Lr2bVn8TzKc4Jd6Ym1Hs9Pf3Gu5A'
  const answer = await call(`${address}?status=up&msg=OK&ping=120`)
  expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }])
  await expect
    .poll(() => statusOf('Backup of the NAS'))
    .toMatchObject({ status: 'up', tookMs: 120 })
  await call(`${address}?status=down&msg=disk%20full`)
  await expect
    .poll(() => statusOf('Backup of the NAS'))
    .toMatchObject({ status: 'down', note: 'disk full' })
  expect((await call(`${address}x`)).statusCode).toBe(404)
})

test('[C6] a script that pings Healthchecks goes on with the host name changed', async () => {
  const { call, statusOf } = await importFrom('healthchecks', healthchecks)
  const address = 'https://hc.northwind-bikes.example/ping/31365bc1-8da9-4729-8ff3-aaaaaaaaaaa1'
  const answer = await call(address)
  expect([answer.statusCode, answer.body]).toEqual([200, 'OK'])
  await expect.poll(() => statusOf('Filesystem backup')).toMatchObject({ status: 'up' })
  await call(`${address}/1`)
  await expect.poll(() => statusOf('Filesystem backup')).toMatchObject({ status: 'down' })
})
