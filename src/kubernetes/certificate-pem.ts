/** A certificate as text. Source: RFC 7468, 5. */

/** One certificate, in lines of 64 characters. */
export const certificatePem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
