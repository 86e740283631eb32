import { useEffect } from 'react'
import Pause from 'virtual:icon/pause'
import Play from 'virtual:icon/play'
import { motionPause, useMotionPaused } from '../../lib/motion.ts'
import { Button } from '../../ui/button.tsx'

/**
 * Stops and starts motion (WCAG 2.2.2): the stars and, through data-motion on the html element, all CSS
 * animations of a page. Absent under reduced motion, because then nothing moves.
 */
export function PauseMotionButton() {
  const isPaused = useMotionPaused()
  useEffect(() => {
    document.documentElement.dataset['motion'] = isPaused ? 'paused' : 'free'
  }, [isPaused])
  const Icon = isPaused ? Play : Pause
  return (
    <Button
      variant="ghost"
      size="sm"
      className="motion-reduce:hidden"
      onClick={() => motionPause.set(!isPaused)}
    >
      <Icon aria-hidden className="size-4" />
      {isPaused ? 'Move the stars' : 'Pause the stars'}
    </Button>
  )
}
