import { installationLogo } from '../../lib/installation.ts'

/** The installation's logo. Decorative: the name is beside it. */
export function Logo() {
  return <img src={installationLogo()} alt="" className="size-7 shrink-0 object-contain" />
}
