import { Menu as MenuIcon } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { useOnDemand } from '../../ui/use-on-demand.ts'
import { useToast } from '../../ui/use-toast.ts'

const fetchMenuList = async () => (await import('./header-menu-list.tsx')).HeaderMenuList

/** The 'Menu' button. What it opens is fetched with the first click, or a little before it. */
export function HeaderMenu() {
  const session = useSession()
  const showToast = useToast()
  const [list, loadList] = useOnDemand(fetchMenuList)
  const [wasOpened, setWasOpened] = useState(false)

  // Not before the click, since replacing the button between press and release loses the click.
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
      onPointerEnter={() => void loadList()}
      onFocus={() => void loadList()}
      onClick={() => void open()}
    >
      <MenuIcon aria-hidden />
      Menu
    </Button>
  )
}
