import { useState } from 'react'
import MenuIcon from 'virtual:icon/menu'
import { useSession } from '../../lib/session.ts'
import { useWhenIdle } from '../../lib/use-when-idle.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useOnDemand } from '../../ui/use-on-demand.ts'
import { useToast } from '../../ui/use-toast.ts'

const fetchMenuList = async () => (await import('./header-menu-list.tsx')).HeaderMenuList

/** The 'Menu' button. The menu's code loads ahead of the first click, or with it. */
export function HeaderMenu() {
  const session = useSession()
  const showToast = useToast()
  const [list, loadList] = useOnDemand(fetchMenuList)
  const [wasOpened, setWasOpened] = useState(false)
  useWhenIdle(loadList)

  // Not before the click, because replacing the button between press and release would lose the click.
  if (list.step === 'ready' && wasOpened) return <list.Component session={session} />

  const open = async () => {
    setWasOpened(true)
    if (await loadList()) return
    setWasOpened(false)
    showToast({
      title: 'The menu could not be loaded',
      description: 'Check the connection and try again.',
      tone: 'failure',
    })
  }
  return (
    <Button
      variant="outline"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-busy={wasOpened || undefined}
      onPointerEnter={() => void loadList()}
      onFocus={() => void loadList()}
      onClick={() => void open()}
    >
      {wasOpened ? <Spinner /> : <MenuIcon aria-hidden />}
      Menu
    </Button>
  )
}
