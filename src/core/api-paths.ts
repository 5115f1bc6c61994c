// The paths of the two HTTP APIs.
export const basePath = "/api/v1";
export const managePath = "/api/manage/v1";
