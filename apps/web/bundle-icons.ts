import { join } from 'node:path'
import type { IconifyJSON } from '@iconify-json/lucide'
import type { Plugin } from 'vite'

const iconPrefix = 'virtual:icon/'
const componentFile = join(import.meta.dirname, 'src/ui/create-icon.tsx')
/**
 * Every icon repeats these attributes. Here the svg element has them instead, so that a single icon can
 * have thinner lines.
 */
const commonAttributes =
  ' fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"'

/** Lets the app import `virtual:icon/arrow-right`, a component that draws Lucide's icon of that name. */
export function bundleIcons(): Plugin {
  return {
    name: 'astropelago-icons',
    resolveId: {
      filter: { id: /^virtual:icon\// },
      // The NUL character tells other plugins that there is no such file.
      handler: (id) => `\0${id}`,
    },
    load: {
      filter: { id: /^\0virtual:icon\// },
      async handler(id) {
        const { icons } = await import('@iconify-json/lucide')
        const shapes = iconShapes(icons, id.slice(1 + iconPrefix.length))
        return `import { createIcon } from ${JSON.stringify(componentFile)}
export default createIcon(${JSON.stringify(shapes)})`
      },
    },
  }
}

/**
 * The contents of an icon's svg element.
 * @throws if the set does not have the icon, has it under another name, or draws it differently from the
 * others
 */
export function iconShapes({ icons, aliases }: IconifyJSON, name: string): string {
  const icon = icons[name]
  if (icon === undefined) {
    const alias = aliases?.[name]
    throw new Error(`Lucide has no icon ${name}${alias ? `; it is called ${alias.parent}` : ''}.`)
  }
  const shapes = icon.body.replace(commonAttributes, '')
  if (shapes === icon.body) throw new Error(`Lucide’s icon ${name} is not drawn as the others are.`)
  return shapes.replace(/^<g>(.*)<\/g>$/, '$1')
}
