export const ownSession = {
  id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b30',
  created_at: '2026-05-04T05:52:00.000Z',
  last_used_at: '2026-05-04T06:10:00.000Z',
  browser: 'Firefox',
  system: 'Windows',
  is_current: true,
}

export const apiToken = {
  id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b31',
  name: 'Assistant',
  role: 'office',
  scope: 'read',
  created_at: '2026-05-04T05:52:00.000Z',
  last_used_at: '2026-05-04T06:10:00.000Z',
  expires_at: '2026-08-02T05:52:00.000Z',
}

export const apiTokenText = 'fahrplan_Zk3VtC1uYw7mX0qJr5dLhN8sPbEaGfIoKTQ2v4y6z9A'

export const ownSchool = {
  id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b01',
  name: 'Fahrschule Nord',
  is_current: true,
  second_factor: false,
}

export const challenge = 'ZXlKaGJHY2lPaUpJVXpJMU5pSjk'
export const recoveryCode = '7h2k-m9qd-4t0x-c8vw'

export const totpOffer = {
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  uri: 'otpauth://totp/Fahrplan%20Fahrschule%20Nord:office%40nord.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Fahrplan%20Fahrschule%20Nord&algorithm=SHA1&digits=6&period=30',
  challenge: 'k0l2bUQ5c2VhbGVk',
}

export const passkey = {
  id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b31',
  name: 'Laptop',
  created_at: '2026-05-04T05:52:00.000Z',
  last_used_at: null,
  is_synced: true,
  is_backed_up: true,
}

const credential = {
  id: 'AQIDBAUGBwgJCgsMDQ4PEA',
  rawId: 'AQIDBAUGBwgJCgsMDQ4PEA',
  type: 'public-key' as const,
  clientExtensionResults: {},
}

export const passkeyAssertion = {
  ...credential,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAA',
    signature: 'MEUCIQDfK1bH0n9cW6d8',
    userHandle: 'MDE5N2YzYzI',
  },
}

export const passkeyRegistration = {
  ...credential,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
    attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg',
    transports: ['internal'],
  },
}
