// A certificate for servers of tests, which nobody trusts, made with
// `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost`.

export function selfSigned(): { key: string; cert: string } {
  return { key, cert };
}

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCgBsjfJ8I7TVoS69
Z76QzRqWKUJC/itQnoHrmqxpVSqhRANCAARM3I3XnaKGtyX09Cpqe9eWp62Y096G
e4IpV9T5jkofMdz+MpyvMby84ZaDjDTfazt5nFxrCeRRxmIBaLQ4iUYe
-----END PRIVATE KEY-----
`;

const cert = `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUFbqJce9Gv9etjEqrgcK2hJkDS8swCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNjAyNTQwOVoYDzIxMjYxMTAy
MDI1NDA5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARM3I3XnaKGtyX09Cpqe9eWp62Y096Ge4IpV9T5jkofMdz+MpyvMby8
4ZaDjDTfazt5nFxrCeRRxmIBaLQ4iUYeo1MwUTAdBgNVHQ4EFgQUPhaAx7QgDNo4
en0s0vFKnfy3cbAwHwYDVR0jBBgwFoAUPhaAx7QgDNo4en0s0vFKnfy3cbAwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAsIVj4y1b1/KfXkmRYEWwv
gg6SmJSDaRyTPIVgW/JsMwIgar/o7nkYzIOuxB5Rb0M0fiyjEVCd6u99i5lVIErC
2lQ=
-----END CERTIFICATE-----
`;
