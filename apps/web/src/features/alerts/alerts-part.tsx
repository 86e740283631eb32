import { ChannelsCard } from './channels/channels-card.tsx'

/** Where the user is told of things. */
export function AlertsPart() {
  return <ChannelsCard />
}
