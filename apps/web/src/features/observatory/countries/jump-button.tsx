import { ChevronDown, MapPin } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '../../../ui/button.tsx'

/** The menu's button, before and after the menu has come. */
export function JumpButton(props: ComponentProps<typeof Button>) {
  return (
    <Button {...props} variant="outline" size="sm">
      <MapPin aria-hidden />
      Jump to
      <ChevronDown aria-hidden className="text-muted" />
    </Button>
  )
}
