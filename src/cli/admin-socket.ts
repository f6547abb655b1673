import { createHash } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { FileTransfer, Terminal } from './command.ts'
import { type FileRequest, fileTransferOver, TerminalFile } from './file-transfer.ts'

/** The longest path of a Unix socket address on Linux, without its final NUL. */
const LONGEST_PATH = 107

type Request = { readonly argv: readonly string[]; readonly input: string | null }
type Reply =
  | { readonly out: string }
  | { readonly err: string }
  | { readonly exit: number }
  | { readonly ask: 'input' }
  | { readonly confirm: string }
  | FileRequest
  | { readonly progress: readonly [done: number, total: number] }

/** Runs a command line for a terminal and returns its exit code. `fileTransfer` transfers the terminal's file. */
export type Runner = (
  argv: readonly string[],
  terminal: Terminal,
  fileTransfer: FileTransfer,
) => Promise<number>

/**
 * Accepts commands while this process holds the data directory. Only the same user may connect. Lines are JSON: first the
 * command's words, then its output, last its exit code.
 */
export async function listenForCommands(dataDir: string, run: Runner): Promise<() => Promise<void>> {
  const path = socketPath(dataDir)
  if (process.platform !== 'win32') rmSync(path, { force: true })
  const waiting = new Set<Socket>()
  const server = createServer((socket) => {
    serveTerminal(socket, run, waiting).catch(() => socket.destroy())
  })
  await new Promise<void>((listening, fail) => {
    server.once('error', fail)
    server.listen(path, listening)
  })
  if (process.platform !== 'win32') chmodSync(path, 0o600)
  return () =>
    new Promise((closed) => {
      server.close(() => closed())
      for (const socket of waiting) socket.destroy()
    })
}

type ForwardedCommand = {
  readonly argv: readonly string[]
  readonly terminal: Terminal
  readonly file?: string | undefined
}

/** Passes a command line to the process that holds the data directory. Returns undefined if none responds. */
export async function forwardCommand(
  dataDir: string,
  { argv, terminal, file }: ForwardedCommand,
): Promise<number | undefined> {
  const socket = await connected(socketPath(dataDir))
  if (!socket) return undefined
  const terminalFile = new TerminalFile(file ?? '')
  try {
    return await readReplies(socket, { argv, terminal, terminalFile })
  } finally {
    await terminalFile.close()
    socket.destroy()
  }
}

async function readReplies(
  socket: Socket,
  { argv, terminal, terminalFile }: ForwardedCommand & { readonly terminalFile: TerminalFile },
): Promise<number> {
  send(socket, { argv, input: null })
  for await (const line of createInterface({ input: socket })) {
    const reply: Reply = JSON.parse(line)
    if ('out' in reply) terminal.out(reply.out)
    if ('err' in reply) terminal.err(reply.err)
    if ('progress' in reply) terminal.progress(...reply.progress)
    if ('take' in reply || ('ask' in reply && reply.ask === 'bytes'))
      send(socket, { argv: [], input: await terminalFile.answer(reply as FileRequest) })
    else if ('ask' in reply) send(socket, { argv: [], input: await terminal.readInput() })
    if ('confirm' in reply) {
      const answer = await terminal.confirm(reply.confirm)
      send(socket, { argv: [], input: answer === undefined ? null : String(answer) })
    }
    if ('exit' in reply) {
      socket.end()
      return reply.exit
    }
  }
  throw new Error('The service stopped before it had finished the command.')
}

async function serveTerminal(socket: Socket, run: Runner, waiting: Set<Socket>): Promise<void> {
  socket.on('error', () => socket.destroy())
  const reader = createInterface({ input: socket })
  // The reader of a destroyed socket would wait for lines forever.
  socket.once('close', () => reader.close())
  const lines = reader[Symbol.asyncIterator]()
  const next = async (): Promise<Request> => {
    waiting.add(socket)
    const { value } = await lines.next()
    waiting.delete(socket)
    return JSON.parse(value ?? '{"argv":[],"input":""}')
  }
  const { argv } = await next()
  if (!Array.isArray(argv)) throw new Error('a command line is a list of words')
  const ask = async (question: Reply) => {
    send(socket, question)
    return (await next()).input
  }
  const terminal: Terminal = {
    out: (text) => send(socket, { out: text }),
    err: (text) => send(socket, { err: text }),
    progress: (...progress) => send(socket, { progress }),
    readInput: async () => (await ask({ ask: 'input' })) ?? '',
    confirm: async (question) => {
      const answer = await ask({ confirm: question })
      return answer === null ? undefined : answer === 'true'
    },
  }
  const exit = await run(argv, terminal, fileTransferOver(ask))
  send(socket, { exit })
}

function send(socket: Socket, message: Request | Reply): void {
  // The reader takes these signs for the ends of lines, too.
  const line = JSON.stringify(message).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  socket.write(`${line}\n`)
}

function connected(path: string): Promise<Socket | undefined> {
  return new Promise((answer) => {
    const socket = createConnection(path)
    socket.once('connect', () => answer(socket))
    socket.once('error', () => answer(undefined))
  })
}

function socketPath(dataDir: string): string {
  const absolute = join(resolve(dataDir), 'admin.sock')
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\fahrplan-${createHash('sha256').update(absolute).digest('hex').slice(0, 16)}`
  }
  if (absolute.length <= LONGEST_PATH) return absolute
  const fromHere = relative(process.cwd(), absolute)
  if (fromHere.length <= LONGEST_PATH) return fromHere
  throw new Error(
    `The path ${absolute} is too long for a socket: at most ${LONGEST_PATH} bytes. Choose another DATA_DIR.`,
  )
}
