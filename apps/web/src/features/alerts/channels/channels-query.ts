import {
  type AlertChannel,
  type ChannelChanges,
  confirmChannel,
  createChannel,
  deleteChannel,
  listChannels,
  type NewChannel,
  renewChannelSecret,
  sendChannelCode,
  testChannel,
  updateChannel,
} from '@astropelago/contract/alert-channels'
import type { AnswerBody } from '@astropelago/contract/route'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { ownAlertsQuery } from '../alerts-query.ts'

export type ChannelList = AnswerBody<typeof listChannels>

// Fetched again when the tab regains focus, because the confirmation link in an e-mail opens another
// tab.
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

export function useCreateChannel(onCreated: (channel: CreatedChannel) => void) {
  const show = useChannelList()
  return useMutation({
    mutationFn: (body: NewChannel) => call(createChannel, { body }),
    onSuccess: async (created) => {
      const { secret: _, ...channel } = created
      await show((channels) => [...channels, channel])
      onCreated(created)
    },
    // This is the only copy of a webhook's secret. It is dropped together with the component that shows
    // it.
    gcTime: 0,
  })
}

export function useUpdateChannel(id: string, onUpdated: () => void) {
  const show = useChannelList()
  return useMutation({
    mutationFn: (body: ChannelChanges) => call(updateChannel, { params: { id }, body }),
    onSuccess: async (updated) => {
      await show((channels) => channels.map((channel) => (channel.id === id ? updated : channel)))
      onUpdated()
    },
  })
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

/** Sends a test alert. The result affects the channel's state, so the list is fetched again. */
export function useTestChannel(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(testChannel, { params: { id } }),
    onSettled: () => client.invalidateQueries(channelsQuery),
  })
}

export function useSendChannelCode(id: string, onSent: () => void) {
  return useMutation({
    mutationFn: () => call(sendChannelCode, { params: { id } }),
    onSuccess: onSent,
  })
}

/** The response doesn't say which channel the code belongs to, so the list is fetched again. */
export function useConfirmAddress(onConfirmed: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => call(confirmChannel, { body: { code } }),
    onSuccess: async () => {
      onConfirmed()
      await client.invalidateQueries(channelsQuery)
    },
  })
}

export function useRenewSecret(id: string, onRenewed: (secret: string) => void) {
  return useMutation({
    mutationFn: () => call(renewChannelSecret, { params: { id } }),
    onSuccess: ({ secret }) => onRenewed(secret),
    gcTime: 0,
  })
}
