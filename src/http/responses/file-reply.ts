import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { begun } from './list-reply.ts'
import type { Part } from './slices.ts'

const TYPES = { csv: 'text/csv; charset=utf-8; header=present', pdf: 'application/pdf' } as const

export type FileKind = keyof typeof TYPES

type SentFile = {
  /** The name without its ending. Contains no user input. */
  readonly name: string
  readonly kind: FileKind
  readonly parts: AsyncGenerator<Part>
}

/** Sends a file as a download. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, kind, parts }: SentFile,
): Promise<FastifyReply> {
  await request.server.openResponses.enter(request, reply)
  return reply
    .type(TYPES[kind])
    .header('content-disposition', `attachment; filename="${name}.${kind}"`)
    .send(await begun(parts))
}

/** The schema of a response that is a CSV file. */
export const csvText = Type.Unsafe<string>({
  description:
    'A CSV file in UTF-8 with a byte order mark, separated by `;` if the school writes decimals with a comma, else by `,`. Text that a spreadsheet would evaluate begins with an apostrophe.',
  content: { 'text/csv': { schema: { type: 'string' } } },
})

/** The schema of a response that is a PDF. */
export const pdfBytes = Type.Unsafe<Buffer>({
  description: 'A PDF with embedded fonts, whose text can be searched and copied.',
  content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
})

/** Yields a file that is in memory. */
export async function* wholeOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
