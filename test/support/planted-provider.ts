import { ProviderSecrets } from '../../src/sso/provider-secrets.ts'
import type { TestService } from './app.ts'
import { JWT_SECRET } from './environment.ts'

export const PLANTED_ISSUER = 'https://login.example/realms/nord'
const SUBJECT = 'ida'

/** Gives a school an identity provider that nobody can reach, and links a user to a person there. */
export async function plantProvider(service: TestService, tenantId: string, userId: string): Promise<void> {
  const sealed_secret = new ProviderSecrets(JWT_SECRET).seal(tenantId, 'a secret of the client')
  const provider = { issuer: PLANTED_ISSUER, client_id: 'fahrplan', sealed_secret, required: false }
  await service.db
    .insertInto('identity_providers')
    .values({ tenant_id: tenantId, ...provider })
    .execute()
  await plantIdentity(service, tenantId, userId)
}

/** Links a user to the same person as `plantProvider` does, which is possible once in each school. */
export async function plantIdentity({ db }: TestService, tenant_id: string, user_id: string): Promise<void> {
  await db
    .insertInto('identities')
    .values({ tenant_id, user_id, issuer: PLANTED_ISSUER, subject: SUBJECT })
    .execute()
}
