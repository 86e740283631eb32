import { leaveNote, sendSignal, type LogEntry } from '@astropelago/contract/island-log'
import { createInvitation, joinIsland } from '@astropelago/contract/island-members'
import {
  createIsland,
  publishIsland,
  type AccessPolicy,
  type IslandView,
  type OwnIsland,
} from '@astropelago/contract/islands'
import * as v from 'valibot'
import type { TestApp, TestBrowser } from './create-test-app.ts'

let made = 0

/** Details of an island that can be entered. */
export const islandDetails = {
  name: 'Harbor Bar',
  kind: 'social',
  tagline: 'A bar with a view',
  about: 'Come in.',
  address: 'https://bar.example/',
} as const

/** Uses only letters, none of which looks like another one. */
export function newSlug(): string {
  made += 1
  const letters = String(made)
    .padStart(6, '0')
    .replaceAll(/\d/g, (digit) => 'aefghjkmpq'.charAt(Number(digit)))
  return `isle-${letters}`
}

/** Makes a draft through the API. */
export async function makeTestIsland(
  { inject }: TestBrowser,
  details: Readonly<Record<string, unknown>> = {},
): Promise<OwnIsland> {
  const payload = { ...islandDetails, slug: newSlug(), ...details }
  const response = await inject({ method: 'POST', url: createIsland.path, payload })
  if (response.statusCode !== 201) throw new Error(`Making an island failed: ${response.body}`)
  return v.parse(createIsland.answers[201], response.json())
}

/** Makes an island and publishes it through the API. */
export async function publishTestIsland(
  browser: TestBrowser,
  to: { readonly access: AccessPolicy; readonly isListed: boolean },
  details: Readonly<Record<string, unknown>> = {},
): Promise<OwnIsland> {
  const { id } = await makeTestIsland(browser, details)
  const url = publishIsland.path.replace(':id', id)
  const response = await browser.inject({ method: 'POST', url, payload: to })
  if (response.statusCode !== 200) throw new Error(`Publishing failed: ${response.body}`)
  return v.parse(publishIsland.answers[200], response.json())
}

/** An island's front page as this browser sees it; undefined if it sees none. */
export async function viewIsland(
  { inject }: Pick<TestApp, 'inject'>,
  slug: string,
): Promise<IslandView | undefined> {
  const response = await inject({ url: `/api/islands/by-slug/${slug}` })
  return response.statusCode === 200 ? response.json<IslandView>() : undefined
}

type NewInvitation = v.InferOutput<(typeof createInvitation.answers)[201]>

export async function createTestInvitation(
  { inject }: TestBrowser,
  islandId: string,
  payload: Readonly<Record<string, unknown>> = {},
): Promise<NewInvitation> {
  const url = createInvitation.path.replace(':id', islandId)
  const response = await inject({ method: 'POST', url, payload })
  if (response.statusCode !== 201) throw new Error(`No invitation: ${response.body}`)
  return v.parse(createInvitation.answers[201], response.json())
}

/** Leaves a visitor's note. */
export async function leaveTestNote(
  { inject }: TestBrowser,
  islandId: string,
  text = 'Hello',
): Promise<LogEntry> {
  const url = leaveNote.path.replace(':id', islandId)
  const response = await inject({ method: 'POST', url, payload: { text } })
  if (response.statusCode !== 201) throw new Error(`No note: ${response.body}`)
  return v.parse(leaveNote.answers[201], response.json())
}

/** Sends the host's signal. */
export async function sendTestSignal(
  { inject }: TestBrowser,
  islandId: string,
  payload: Readonly<Record<string, unknown>> = {},
): Promise<LogEntry> {
  const url = sendSignal.path.replace(':id', islandId)
  const response = await inject({ method: 'POST', url, payload: { text: 'Hello', ...payload } })
  if (response.statusCode !== 201) throw new Error(`No signal: ${response.body}`)
  return v.parse(sendSignal.answers[201], response.json())
}

/** Joins an island, or asks to, and returns the user's role afterwards. */
export async function joinTestIsland(
  { inject }: TestBrowser,
  islandId: string,
  text = '',
): Promise<string> {
  const url = joinIsland.path.replace(':id', islandId)
  const response = await inject({ method: 'POST', url, payload: { text } })
  if (response.statusCode !== 200) throw new Error(`Joining failed: ${response.body}`)
  return v.parse(joinIsland.answers[200], response.json()).role
}
