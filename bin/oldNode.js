/** The first that runs TypeScript as it is, and has `node:sqlite` without a flag. */
const least = [22, 18]

/**
 * Say why this version of Node cannot run Heatmark, and what to do; undefined if it can.
 * @param {string} version
 */
export function faultOfNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > least[0] || (major === least[0] && minor >= least[1])) return undefined
  return `Node ${version} is too old for this release, which needs ${least.join('.')} or later
→ install a current Node; or install Heatmark without --omit=optional and --ignore-scripts, which brings one, and begin the command with npx`
}
