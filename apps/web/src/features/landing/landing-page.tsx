import { usePageTitle } from '../../lib/use-page-title.ts'
import { useWhenIdle } from '../../lib/use-when-idle.ts'
import { useOnDemand } from '../../ui/use-on-demand.ts'
import { ConnectYourDevice } from './connect-your-device.tsx'
import { ExploreTheCommunity } from './explore-the-community.tsx'
import { Faq } from './faq.tsx'
import { Hero } from './hero.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { SafetyAndTrust } from './safety-and-trust.tsx'
import { useSectionFocus } from './use-section-focus.ts'

/** Loaded separately, because it is not essential to the page. */
const fetchRightNow = async () => (await import('./right-now.tsx')).RightNow

export function LandingPage() {
  usePageTitle()
  useSectionFocus()
  const [rightNow, loadRightNow] = useOnDemand(fetchRightNow)
  useWhenIdle(loadRightNow)
  return (
    <div className="flex flex-col gap-28 pb-16 sm:gap-40 sm:pb-24">
      <Hero />
      {rightNow.step === 'ready' && <rightNow.Component />}
      <HowItWorks />
      <ConnectYourDevice />
      <ExploreTheCommunity />
      <SafetyAndTrust />
      <Faq />
    </div>
  )
}
