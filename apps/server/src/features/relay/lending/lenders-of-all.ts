import { CheckTarget } from '@astropelago/contract/checks'
import * as v from 'valibot'
import type { InstanceNotices } from '../../../cluster/instance-notices.ts'
import type { HopConnection } from '../instances/hop-connection.ts'
import { AssignmentResult, type Assignment } from './lend-session.ts'
import type { Lenders } from './lenders.ts'

/** For the way to the other server, beside the agent's own time. */
const wayMs = 6000

const Question = v.object({
  deviceKey: v.number(),
  target: CheckTarget,
  ports: v.array(v.number()),
  isOwn: v.boolean(),
})
const Answer = v.nullable(AssignmentResult)

/** Agents that lend, also those that are connected to other servers. [C12] */
export function lendersOfAll({
  lenders,
  notices,
  hopTo,
}: {
  readonly lenders: Lenders
  readonly notices: Pick<InstanceNotices, 'publish' | 'subscribe' | 'onJoin' | 'onGap'>
  readonly hopTo: (writer: number) => Pick<HopConnection, 'ask'> | undefined
}) {
  /** What each of the other servers' devices lend. */
  const elsewhere = new Map<number, Map<number, number>>()
  const tell = (deviceKey: number) =>
    ({ kind: 'lender', deviceKey, perHour: lenders.perHour(deviceKey) ?? null }) as const

  lenders.onChange((deviceKey) => notices.publish(tell(deviceKey)))
  notices.onJoin(() => lenders.deviceKeys().map(tell))
  notices.onGap((writer) => elsewhere.delete(writer))
  notices.subscribe((writer, notice) => {
    if (notice.kind !== 'lender') return
    const { deviceKey, perHour } = notice
    const devices = elsewhere.get(writer) ?? new Map<number, number>()
    elsewhere.set(writer, devices)
    if (perHour === null) devices.delete(deviceKey)
    else devices.set(deviceKey, perHour)
  })

  const find = (deviceKey: number) => {
    for (const [writer, devices] of elsewhere) {
      const perHour = devices.get(deviceKey)
      const hop = perHour === undefined ? undefined : hopTo(writer)
      if (perHour !== undefined && hop !== undefined) return { hop, perHour }
    }
    return undefined
  }

  return {
    perHour: (deviceKey: number): number | undefined =>
      lenders.perHour(deviceKey) ?? find(deviceKey)?.perHour,
    ask: async (
      deviceKey: number,
      assignment: Assignment,
    ): Promise<AssignmentResult | undefined> => {
      if (lenders.perHour(deviceKey) !== undefined) return await lenders.ask(deviceKey, assignment)
      const question = JSON.stringify({ deviceKey, ...assignment })
      const limitMs = assignment.target.timeoutS * 1000 + wayMs
      const answer = await find(deviceKey)?.hop.ask(question, limitMs)
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Answer), answer)
      return parsed.success ? (parsed.output ?? undefined) : undefined
    },
    /** Answers another server, for agents of this one. */
    answer: async (question: string): Promise<string> => {
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Question), question)
      if (!parsed.success) return 'null'
      const { deviceKey, target, ...others } = parsed.output
      if (target.kind === 'push') return 'null'
      return JSON.stringify((await lenders.ask(deviceKey, { ...others, target })) ?? null)
    },
  }
}
