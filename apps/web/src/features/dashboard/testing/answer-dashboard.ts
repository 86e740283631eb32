import { listOwnDevices } from '@astropelago/contract/devices'
import { listActivity } from '@astropelago/contract/island-log'
import {
  type IslandCard,
  listJoinedIslands,
  listOwnIslands,
  type OwnIsland,
} from '@astropelago/contract/islands'
import { OwnMessage, streamOwn } from '@astropelago/contract/streams'
import { answerApi, isAnswered } from '../../../test/answer-api.ts'
import { answerStream } from '../../../test/answer-stream.ts'

interface Given {
  readonly hosted?: OwnIsland[]
  readonly joined?: IslandCard[]
}

/** Answers the dashboard's requests for a user with these islands. Tests can change the answers later. */
export function answerDashboard({ hosted = [], joined = [] }: Given = {}) {
  const kept = { hosted, joined }
  if (!isAnswered(listOwnDevices)) answerApi(listOwnDevices, { status: 200, body: [] })
  if (!isAnswered(listActivity)) {
    answerApi(listActivity, { status: 200, body: { items: [], next: null } })
  }
  answerApi(listOwnIslands, () => ({ status: 200, body: kept.hosted }))
  answerApi(listJoinedIslands, () => ({ status: 200, body: kept.joined }))
  return { kept, stream: answerStream(streamOwn, OwnMessage) }
}
