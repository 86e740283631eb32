// Made by apps/web/bundle-icons.ts. The type is that of create-icon.tsx, which can't be imported here.
declare module 'virtual:icon/*' {
  import type { ComponentProps, FunctionComponent } from 'react'

  const Icon: FunctionComponent<Omit<ComponentProps<'svg'>, 'children'>>
  export default Icon
}
