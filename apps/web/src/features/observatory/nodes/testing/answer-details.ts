import { getPublicDevice, type PublicDevice } from '@astropelago/contract/devices'
import { answerApi, refused } from '../../../../test/answer-api.ts'

/** What cards ask of these devices, answered; whoever is not among them is not public any more. */
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
