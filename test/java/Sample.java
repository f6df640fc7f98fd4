package com.shop;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.*;

/** A document with everything that Jackson writes in its own way. */
public class Sample {
  public enum Status { PENDING, PAID }

  public static class Line {
    public String name;
    public long quantity;
    public double price;
  }

  public String id;
  public long quantity;
  public double total;
  public BigDecimal exact;
  public Status status;
  public Boolean available;
  public String none;
  public Instant createdAt;
  public List<String> tags;
  public List<Line> lines;
  public Set<Status> states;
  public Line line;
  public List<BigDecimal> decimals;
  public Map<String, Object> extra;
}
