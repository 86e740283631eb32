import { getPublicDevice, type PublicDevice } from '@astropelago/contract/devices'
import { answerApi, refused } from '../../../../test/answer-api.ts'

/** Answers the cards' requests for these devices. All other devices are no longer public. */
export function answerDetails(
  devices: readonly PublicDevice[],
  details: { readonly since?: string; readonly owner?: string } = {},
) {
  const { since = null, owner = null } = details
  return answerApi(getPublicDevice, ({ params: { id } }) => {
    const device = devices.find((candidate) => candidate.id === id)
    return device === undefined
      ? refused('not_found')
      : { status: 200, body: { ...device, since, owner } }
  })
}
