import type { FastifyReply } from 'fastify'
import { ACCESS_TOKEN_SECONDS } from '../../auth/access-token.ts'
import type { Continuation } from '../../auth/refresh-token.ts'
import type { Tokens } from '../../contract/auth.ts'
import { REFRESH_TOKEN_SECONDS } from '../../db/accounts/refresh-tokens.ts'
import type { Service } from '../service.ts'
import { setCookies } from './access-cookie.ts'

/** Returns a session's two tokens and sets them as cookies. */
export async function tokensFor(
  { claims, refreshToken }: Continuation,
  { accessTokens, now, config }: Service,
  reply: FastifyReply,
): Promise<Tokens> {
  const token = await accessTokens.sign(claims, now())
  setCookies(reply, { token, refreshToken }, config)
  return {
    token,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_expires_in: REFRESH_TOKEN_SECONDS,
  }
}
