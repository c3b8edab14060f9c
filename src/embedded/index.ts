export { banner } from './banner.ts'
export { provision } from './provision.ts'
export { startStack } from './stack.ts'
