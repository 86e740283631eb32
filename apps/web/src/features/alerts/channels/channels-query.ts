import {
  type AlertChannel,
  type ChannelChanges,
  createChannel,
  deleteChannel,
  listChannels,
  type NewChannel,
  updateChannel,
} from '@astropelago/contract/alert-channels'
import type { AnswerBody } from '@astropelago/contract/route'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { ownAlertsQuery } from '../alerts-query.ts'

export type ChannelList = AnswerBody<typeof listChannels>

// Fetched again when the tab regains focus: the confirmation link in an e-mail opens another tab.
export const channelsQuery = queryOptions({
  queryKey: ['alert-channels'],
  queryFn: ({ signal }) => call(listChannels, { signal }),
})

/** Failing channels still get deliveries. */
export function canReach({ state }: Pick<AlertChannel, 'state'>): boolean {
  return state === 'ready' || state === 'failing'
}

/** Puts a response into the list at once. An older response must not overwrite it. */
function useChannelList() {
  const client = useQueryClient()
  return async (change: (channels: readonly AlertChannel[]) => AlertChannel[]) => {
    await client.cancelQueries(channelsQuery)
    client.setQueryData(
      channelsQuery.queryKey,
      (list) => list && { ...list, channels: change(list.channels) },
    )
  }
}

export type CreatedChannel = AnswerBody<typeof createChannel>

/** Creates a channel. Only this response contains a webhook's secret. */
export function useCreateChannel() {
  const show = useChannelList()
  return async (body: NewChannel): Promise<CreatedChannel> => {
    const created = await call(createChannel, { body })
    const { secret: _, ...channel } = created
    await show((channels) => [...channels, channel])
    return created
  }
}

export function useUpdateChannel(id: string) {
  const show = useChannelList()
  return async (body: ChannelChanges): Promise<void> => {
    const updated = await call(updateChannel, { params: { id }, body })
    await show((channels) => channels.map((channel) => (channel.id === id ? updated : channel)))
  }
}

export function useDeleteChannel(id: string, onDeleted: () => void) {
  const show = useChannelList()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(deleteChannel, { params: { id } }),
    onSuccess: async () => {
      onDeleted()
      await show((channels) => channels.filter((channel) => channel.id !== id))
      // Rules that used this channel have changed.
      await client.invalidateQueries(ownAlertsQuery)
    },
  })
}
