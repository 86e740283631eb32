import { installationLogo } from '../../lib/installation.ts'

/** The logo of the installation. Decorative: the name stands beside it. */
export function Logo() {
  return <img src={installationLogo()} alt="" className="size-7 shrink-0 object-contain" />
}
