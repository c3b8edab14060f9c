export { banner } from './banner.ts'
export { buildPortalPages } from './portalPages.ts'
export { provision } from './provision.ts'
export { startStack } from './stack.ts'
