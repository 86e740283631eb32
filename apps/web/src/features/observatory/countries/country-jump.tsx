import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ComponentProps, useState } from 'react'
import ChevronDown from 'virtual:icon/chevron-down'
import MapPin from 'virtual:icon/map-pin'
import { Button } from '../../../ui/button.tsx'
import { useOnDemand } from '../../../ui/use-on-demand.ts'
import { useToast } from '../../../ui/use-toast.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import type { Selection } from '../selection.ts'

const fetchMenu = async () => (await import('./country-menu.tsx')).CountryMenu

/** Turns the globe and the map to a country or a state. The countries load on first use. */
export function CountryJump({ store, selection }: { store: NodeStore; selection: Selection }) {
  const showToast = useToast()
  const [menu, loadMenu] = useOnDemand(fetchMenu)
  const [wasOpened, setWasOpened] = useState(false)

  // Not before the click: replacing a button between press and release loses the click.
  if (menu.step === 'ready' && wasOpened) {
    return <menu.Component {...{ store, selection }} trigger={<JumpButton />} />
  }

  const open = async () => {
    setWasOpened(true)
    if (await loadMenu()) return
    setWasOpened(false)
    showToast({
      title: t`The countries could not be loaded`,
      description: t`Check the connection and try again.`,
      tone: 'failure',
    })
  }
  return (
    <JumpButton
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={() => void open()}
    />
  )
}

function JumpButton(props: ComponentProps<typeof Button>) {
  return (
    <Button {...props} variant="outline" size="sm">
      <MapPin aria-hidden />
      <Trans>Jump to</Trans>
      <ChevronDown aria-hidden className="text-muted" />
    </Button>
  )
}
