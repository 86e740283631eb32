export { strokeNodeSigns } from './node-signs.ts'
export { strokeScenery } from './sky-scenery.ts'
