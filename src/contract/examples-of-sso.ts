export const schoolId = '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b01'

export const identityProvider = {
  issuer: 'https://login.nord.example/realms/nord',
  client_id: 'fahrplan',
  required: false,
  callback_url: 'https://fahrplan.example/sso/callback',
  logout_url: `https://fahrplan.example/sso/logout/${schoolId}`,
  login_url: `https://fahrplan.example/sso?school=${schoolId}`,
  updated_at: '2026-05-04T05:52:00.000Z',
}

export const newIdentityProvider = {
  issuer: identityProvider.issuer,
  client_id: identityProvider.client_id,
  client_secret: 'TOLdJ0Kx7vA2rL5b',
  required: false,
}

export const answer =
  'code=SplxlOBeZQQYbYS6WxSbIA&state=login.af0ifjsldkj&iss=https%3A%2F%2Flogin.nord.example%2Frealms%2Fnord'

export const authorizationUrl =
  'https://login.nord.example/realms/nord/protocol/openid-connect/auth?response_type=code&client_id=fahrplan&state=login.af0ifjsldkj'
