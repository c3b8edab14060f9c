const inspectorPort = 9229

export function rest(milliseconds: number) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Ask a process of Node to open its inspector, and connect to it. */
export async function inspect(pid: number) {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await inspectorUrl())
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  const answers = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    answers.get(id)?.(result)
    answers.delete(id)
  })
  let last = 0
  return {
    call(method: string, params: object = {}): Promise<unknown> {
      const id = ++last
      socket.send(JSON.stringify({ id, method, params }))
      return new Promise((resolve) => answers.set(id, resolve))
    },
    close: () => socket.close(),
  }
}

async function inspectorUrl(): Promise<string> {
  for (;;) {
    try {
      const response = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`)
      const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[]
      return target!.webSocketDebuggerUrl
    } catch {
      await rest(50)
    }
  }
}
